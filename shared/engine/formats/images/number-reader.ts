/** Reads big-endian numbers one after another. @throws RangeError behind the end of the range */
export class NumberReader {
  constructor(
    private readonly view: DataView,
    private at: number,
    private readonly end: number,
  ) {}

  /** @param size in bytes: 0, 1, 2, 4 or 8 */
  number(size: number): number {
    const at = this.at;
    if (at + size > this.end) throw new RangeError('behind the end of a box');
    this.at += size;
    if (size === 0) return 0;
    if (size === 1) return this.view.getUint8(at);
    if (size === 2) return this.view.getUint16(at);
    return size === 4 ? this.view.getUint32(at) : Number(this.view.getBigUint64(at));
  }

  skip(bytes: number): void {
    if (this.at + bytes > this.end) throw new RangeError('behind the end of a box');
    this.at += bytes;
  }

  get position(): number {
    return this.at;
  }
}
