// Tests of JSONDocument.
