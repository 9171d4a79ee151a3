// Wire formats in, normalised message out.
