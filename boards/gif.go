package boards

import (
	"bytes"
	"compress/lzw"
	"encoding/binary"
	"image"
)

// animation is a GIF file being written, block by block: each block replaces a
// part of the picture, and nothing of it is kept.
type animation struct {
	bytes.Buffer
	row    []byte
	packer *lzw.Writer
}

// start writes all that comes before the first block: one palette for all, and
// that it begins again at its end.
func (a *animation) start(of *image.Paletted) {
	a.WriteString("GIF89a")
	a.number(of.Rect.Dx())
	a.number(of.Rect.Dy())
	a.Write([]byte{1<<7 | 7<<4 | 7, 0, 0}) // 256 colours
	colours := make([]byte, 3*256)
	copy(colours, paletteBytes(of.Palette))
	a.Write(colours)
	a.WriteString("\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")
}

func (a *animation) number(n int) {
	a.Write(binary.LittleEndian.AppendUint16(nil, uint16(n)))
}

// block writes a part of a picture, which stands for so many hundredths of a
// second. Pixels that are as before in the same place are left as they are, unless
// there are few of them in a row; before may be nil.
func (a *animation) block(of, before *image.Paletted, part image.Rectangle, delay int) error {
	a.Write([]byte{0x21, 0xf9, 4, 1<<2 | 1})
	a.number(delay)
	a.Write([]byte{untouched, 0, 0x2c})
	for _, n := range [...]int{part.Min.X, part.Min.Y, part.Dx(), part.Dy()} {
		a.number(n)
	}
	a.Write([]byte{0, 8})
	out := pieces{to: &a.Buffer}
	if a.packer == nil {
		a.packer = new(lzw.Writer)
	}
	a.packer.Reset(&out, lzw.LSB, 8)
	for y := part.Min.Y; y < part.Max.Y; y++ {
		row := of.Pix[of.PixOffset(part.Min.X, y):][:part.Dx()]
		if before != nil {
			row = a.without(row, before.Pix[before.PixOffset(part.Min.X, y):][:part.Dx()])
		}
		if _, err := a.packer.Write(row); err != nil {
			return err
		}
	}
	if err := a.packer.Close(); err != nil {
		return err
	}
	out.flush()
	return a.WriteByte(0)
}

// without returns a row with what is as before left out. Short runs of it stay:
// painted again they are more like their surroundings, which packs better.
func (a *animation) without(row, before []uint8) []uint8 {
	a.row = append(a.row[:0], row...)
	same := 0 // pixels up to here that are as before
	for x, old := range before {
		if old == row[x] {
			same++
			continue
		}
		a.leave(x, same)
		same = 0
	}
	a.leave(len(row), same)
	return a.row
}

// worthLeaving is how many pixels are left out at least.
const worthLeaving = 10

// leave leaves out so many pixels of the row before x, if they are many.
func (a *animation) leave(x, same int) {
	if same >= worthLeaving {
		for i := x - same; i < x; i++ {
			a.row[i] = untouched
		}
	}
}

// end writes the last byte.
func (a *animation) end() { a.WriteByte(0x3b) }

// pieces cuts what is written into runs of at most 255 bytes with their length
// before them, as GIF has it.
type pieces struct {
	to   *bytes.Buffer
	held [256]byte
	n    int
}

// Write takes anything.
func (p *pieces) Write(data []byte) (int, error) {
	for _, b := range data {
		_ = p.WriteByte(b)
	}
	return len(data), nil
}

// WriteByte takes one byte.
func (p *pieces) WriteByte(b byte) error {
	p.held[1+p.n] = b
	if p.n++; p.n == 255 {
		p.flush()
	}
	return nil
}

// Flush does nothing: runs are as long as they can be.
func (p *pieces) Flush() error { return nil }

func (p *pieces) flush() {
	if p.n > 0 {
		p.held[0] = byte(p.n)
		p.to.Write(p.held[:1+p.n])
		p.n = 0
	}
}
