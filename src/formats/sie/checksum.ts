import { CRC32_TABLE } from '../../lib/crc32'
import type { SieField } from './tokenizer'

/**
 * `#KSUMMA`: CRC-32 over labels and contents of fields, byte by byte, without blanks, quotes, braces and line ends. The
 * first `#KSUMMA` begins it, the second carries the sum.
 */
export class SieChecksum {
  #crc = 0xffffffff
  #state: 'before' | 'counting' | 'done' = 'before'
  declared: { value: number; line: number } | null = null

  /** Any record in the order of the file; texts are bytes as characters. */
  add(label: string, fields: SieField[], line: number): void {
    if (label === 'KSUMMA') return this.#mark(fields, line)
    if (this.#state !== 'counting') return
    this.#count('#')
    this.#count(label)
    for (const field of fields) {
      if (typeof field === 'string') this.#count(field)
      else field.forEach((item) => this.#count(item))
    }
  }

  /** Whether the declared sum is another than that of the contents. Null without a declared sum. */
  differs(): boolean | null {
    return this.declared === null ? null : this.declared.value !== (this.#crc ^ 0xffffffff) >>> 0
  }

  #mark(fields: SieField[], line: number): void {
    const [value] = fields
    if (this.#state === 'before') this.#state = 'counting'
    else if (this.#state === 'counting') {
      this.#state = 'done'
      if (typeof value === 'string' && /^-?\d+$/.test(value)) this.declared = { value: Number(value) >>> 0, line }
    }
  }

  #count(text: string): void {
    for (let i = 0; i < text.length; i++)
      this.#crc = (this.#crc >>> 8) ^ (CRC32_TABLE[(this.#crc ^ text.charCodeAt(i)) & 0xff] ?? 0)
  }
}
