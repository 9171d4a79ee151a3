rule "Resume: nothing more to do" { on = "resume", decide = {} }
