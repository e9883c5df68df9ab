import { describe, expect, it } from 'vitest';
import { drawText, TEXT_HEIGHT, textWidth } from './debug-overlay';

const pixelsOf = (text: string, scale = 1): string[] => {
  const pixels: string[] = [];
  drawText(text, scale, (dx, dy) => pixels.push(`${dx},${dy}`));
  return pixels;
};

describe('the label font', () => {
  it('has a different glyph for each character of the labels, whatever a class is called', () => {
    const characters = [...'abcdefghijklmnopqrstuvwxyz-0123456789.'];
    const drawings = characters.map((character) => pixelsOf(character).sort().join(' '));
    expect(drawings.every((drawing) => drawing.length > 0)).toBe(true);
    expect(new Set(drawings).size).toBe(characters.length);
  });

  it('draws inside the width and height that it states, at any size', () => {
    for (const scale of [1, 2, 5]) {
      for (const text of ['license-plate 0.98', 'f', '1.00']) {
        for (const pixel of pixelsOf(text, scale)) {
          const [x, y] = pixel.split(',').map(Number) as [number, number];
          expect(x >= 0 && x < textWidth(text) * scale && y >= 0 && y < TEXT_HEIGHT * scale).toBe(true);
        }
      }
    }
  });

  it('draws each pixel as a square when scaled', () => {
    const small = pixelsOf('v7');
    const large = new Set(pixelsOf('v7', 3));
    expect(large.size).toBe(9 * small.length);
    for (const pixel of small) {
      const [x, y] = pixel.split(',').map(Number) as [number, number];
      expect(large.has(`${3 * x + 1},${3 * y + 1}`)).toBe(true);
    }
  });

  it('leaves a space for unknown characters', () => {
    expect(pixelsOf('é')).toEqual([]);
    expect(textWidth('éé')).toBe(textWidth('aa'));
  });
});
