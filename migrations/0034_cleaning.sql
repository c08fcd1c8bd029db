-- The steps that rows of this table's files go through before they are typed (JSON): those of the rows shown now, and of the next file.
ALTER TABLE datasets ADD COLUMN cleaning TEXT NOT NULL DEFAULT '[]';
-- What each step did to the rows of this load (JSON). NULL: none, or a version that was restored in place.
ALTER TABLE runs ADD COLUMN cleaning_effects TEXT;
