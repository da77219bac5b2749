// Package words holds every sentence that Hiss says, one catalogue a language,
// and shows names, numbers and spans of time in them. It decides nothing: what
// is said, when and to whom is the engine's business.
//
// A template is a whole sentence with gaps, so that a translator can move them
// about:
//
//	<🪜> {name} rolls {t}: {from} → {land}, ladder to {to}
//
// {name} is filled in. {n|go|goes} is the form that goes with the number n: an
// English catalogue gives two, other languages as many as they have. <🪜> is a
// sign: dressing that a platform may leave out, together with the blank behind
// it. What is filled in is never read as a template.
package words
