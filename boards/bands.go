package boards

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"hash/adler32"
	"hash/crc32"
	"image"
	"image/color"
)

// bands are a picture's rows in groups that are compressed each by itself. So
// what a board's pictures have in common is compressed once, and well,
// and a picture costs only the bands that something lies on.
type bands struct {
	ground *image.Paletted
	height int      // rows of a band; the last one may have fewer
	packed [][]byte // the ground's bands, compressed
	sums   []uint32 // their checksums
}

// newBands compresses a board's ground in bands so high.
func newBands(ground *image.Paletted, height int) (*bands, error) {
	b := &bands{ground: ground, height: height}
	var out bytes.Buffer
	packer, err := flate.NewWriter(&out, well)
	if err != nil {
		return nil, err
	}
	for i := range b.count() {
		out.Reset()
		packer.Reset(&out)
		sum, err := b.pack(packer, ground, i)
		if err != nil {
			return nil, err
		}
		b.packed, b.sums = append(b.packed, bytes.Clone(out.Bytes())), append(b.sums, sum)
	}
	return b, nil
}

func (b *bands) count() int { return (b.ground.Rect.Dy() + b.height - 1) / b.height }

// pixels returns a band of a picture.
func (b *bands) pixels(of *image.Paletted, i int) []uint8 {
	return of.Pix[i*b.height*of.Stride : min((i+1)*b.height*of.Stride, len(of.Pix))]
}

// pack compresses a band, up to a whole byte, and returns its checksum.
func (b *bands) pack(to *flate.Writer, of *image.Paletted, i int) (uint32, error) {
	sum := adler32.New()
	unfiltered := []byte{0}
	for rows := b.pixels(of, i); len(rows) > 0; rows = rows[of.Stride:] {
		for _, part := range [...][]byte{unfiltered, rows[:of.Stride]} {
			if _, err := to.Write(part); err != nil {
				return 0, err
			}
			_, _ = sum.Write(part) // a sum takes anything
		}
	}
	return sum.Sum32(), to.Flush()
}

// png returns a picture as a PNG file: bands that are as on the ground are taken
// over, the others compressed.
func (b *bands) png(c *canvas) ([]byte, error) {
	var f file
	f.Grow(b.ground.Rect.Dx() * b.ground.Rect.Dy() / 8)
	f.start(c.Paletted)
	f.chunk("IDAT", []byte{0x78, 0x01})
	sum := uint32(1)
	for i := range b.count() {
		packed, one := b.packed[i], b.sums[i]
		rows := b.pixels(c.Paletted, i)
		if !bytes.Equal(rows, b.pixels(b.ground, i)) {
			var err error
			if packed, one, err = b.anew(c, i); err != nil {
				return nil, fmt.Errorf("writing the picture: %w", err)
			}
		}
		f.chunk("IDAT", packed)
		sum = joined(sum, one, len(rows)+len(rows)/c.Stride)
	}
	// An empty last block, and the checksum of everything.
	f.chunk("IDAT", binary.BigEndian.AppendUint32([]byte{1, 0, 0, 0xff, 0xff}, sum))
	f.chunk("IEND", nil)
	return f.Bytes(), nil
}

// anew compresses a band of a picture, quickly rather than well.
func (b *bands) anew(c *canvas, i int) (packed []byte, sum uint32, err error) {
	c.packed.Reset()
	if c.packer == nil {
		c.packer, err = flate.NewWriter(&c.packed, quick)
	} else {
		c.packer.Reset(&c.packed)
	}
	if err == nil {
		sum, err = b.pack(c.packer, c.Paletted, i)
	}
	return c.packed.Bytes(), sum, err
}

// How well the ground is compressed, and bands for one picture, from 1 to 9. More
// saves little: at 9, the ground takes four times as long for three bytes of a
// hundred.
const well, quick = 7, 3

// joined returns the checksum of two runs of bytes from those of each, the
// second being so long.
func joined(first, second uint32, length int) uint32 {
	const prime = 65521
	a1, b1, a2, b2 := uint64(first&0xffff), uint64(first>>16), uint64(second&0xffff), uint64(second>>16)
	a := (a1 + a2 + prime - 1) % prime
	b := (b1 + b2 + uint64(length)%prime*((a1+prime-1)%prime)) % prime
	return uint32(b<<16 | a)
}

// file is a PNG file being written.
type file struct{ bytes.Buffer }

// start writes all that comes before the pixels.
func (f *file) start(of *image.Paletted) {
	f.WriteString("\x89PNG\r\n\x1a\n")
	head := binary.BigEndian.AppendUint32(nil, uint32(of.Rect.Dx()))
	head = binary.BigEndian.AppendUint32(head, uint32(of.Rect.Dy()))
	f.chunk("IHDR", append(head, 8, 3, 0, 0, 0)) // 8 bits a pixel, with a palette
	f.chunk("PLTE", paletteBytes(of.Palette))
}

// chunk writes one part of the file.
func (f *file) chunk(kind string, data []byte) {
	var head [8]byte
	binary.BigEndian.PutUint32(head[:], uint32(len(data)))
	copy(head[4:], kind)
	f.Write(head[:])
	f.Write(data)
	sum := crc32.Update(crc32.ChecksumIEEE(head[4:]), crc32.IEEETable, data)
	binary.BigEndian.PutUint32(head[:], sum)
	f.Write(head[:4])
}

// paletteBytes returns the colours as picture files have them.
func paletteBytes(p color.Palette) []byte {
	out := make([]byte, 0, 3*len(p))
	for _, c := range p {
		r, g, b, _ := c.RGBA()
		out = append(out, byte(r>>8), byte(g>>8), byte(b>>8))
	}
	return out
}
