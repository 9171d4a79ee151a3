// Tests of RuleLab.
