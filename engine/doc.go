// Package engine plays matches in channels.
package engine
