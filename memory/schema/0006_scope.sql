-- Whose note it is: a project's, or the user's own for all projects. One file has notes of one scope.
ALTER TABLE memory ADD COLUMN scope TEXT NOT NULL DEFAULT 'project' CHECK (scope IN ('project', 'user'));
