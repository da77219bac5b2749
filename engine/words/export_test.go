package words

// Template returns a sentence as it stands in the catalogue.
func (l *Language) Template(k Key) string { return l.phrases[k] }
