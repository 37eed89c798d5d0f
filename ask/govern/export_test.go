package govern

// Poison is for tests that plant it.
var Poison = poison
