// Tests of LuaSandbox.
