// Tests of PushMessage.
