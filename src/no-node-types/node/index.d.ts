// Libraries that also run on Node refer to its types; the Worker is written without them.
