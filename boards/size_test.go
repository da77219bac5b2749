package boards_test

import (
	"bytes"
	"fmt"
	"image/png"
	"testing"

	"hiss/boards"
)

func TestLevels(t *testing.T) {
	th := boards.Light()
	for _, w := range []int{640, 800} {
		for _, name := range []string{"classic", "summit"} {
			b, _ := boards.Find(name)
			data, _ := boards.NewPainter(b, th, w).PNG(sceneFor(b, 4))
			img, _ := png.Decode(bytes.NewReader(data))
			for _, l := range []png.CompressionLevel{png.BestSpeed, png.DefaultCompression, png.BestCompression} {
				var out bytes.Buffer
				e := png.Encoder{CompressionLevel: l}
				e.Encode(&out, img)
				fmt.Println(w, name, l, out.Len())
			}
		}
	}
}
