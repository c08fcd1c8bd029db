import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openZip, type ZipArchive, type ZipEntry } from './zip-reader'
import { memorySource } from '../../../test/worker/memory-source'
import { zipOf, type ZipInput } from '../../../test/worker/zip'
import { concatBytes } from '../../lib/concat-bytes'
import { ProductError } from '../../shared/errors'
import { ARCHIVE_MAX_ENTRIES, INFLATED_RATIO_EXEMPT_BYTES } from '../../shared/limits'

const archiveOf = async (entries: ZipInput[], end = {}): Promise<ZipArchive> =>
  openZip(memorySource('a.zip', await zipOf(entries, end)))
const text = async (zipArchive: ZipArchive, entry: ZipEntry): Promise<string> =>
  new Response(zipArchive.stream(entry)).text()

/** The reason of a refusal. Anything but a ProductError fails the test. */
async function reasonOf(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work()
    return 'none'
  } catch (error) {
    if (!(error instanceof ProductError)) throw error
    return error.details['reason']
  }
}
const readAll = async (zipArchive: ZipArchive): Promise<number> => {
  let bytes = 0
  for (const entry of zipArchive.entries) for await (const chunk of zipArchive.stream(entry)) bytes += chunk.length
  return bytes
}
const openAndRead = (entries: ZipInput[], end = {}) => reasonOf(async () => readAll(await archiveOf(entries, end)))
const zeros = (length: number) => new Uint8Array(length)
const a = (more: Partial<ZipInput> = {}): ZipInput => ({ name: 'a.csv', bytes: 'a,b\n1,2\n', ...more })

/** Written by another program (python zipfile): `å.txt` deflated, `d/` a folder, `d/b.txt` stored, a comment at the end. */
const FOREIGN =
  'UEsDBBQAAAgIAAAAIQB6LJLoCQAAAFAAAAAGAAAAw6UudHh0y0jNUsigIgYAUEsDBBQAAAAAAAAAIQAAAAAAAAAAAAAAAAACAAAAZC9QSwMEFAAAAAAAAAAhAIamEDYFAAAABQAAAAcAAABkL2IudHh0aGVsbG9QSwECFAMUAAAICAAAACEAeiyS6AkAAABQAAAABgAAAAAAAAAAAAAAgAEAAAAAw6UudHh0UEsBAhQDFAAAAAAAAAAhAAAAAAAAAAAAAAAAAAIAAAAAAAAAAAAAAIABLQAAAGQvUEsBAhQDFAAAAAAAAAAhAIamEDYFAAAABQAAAAcAAAAAAAAAAAAAAIABTQAAAGQvYi50eHRQSwUGAAAAAAMAAwCZAAAAdwAAAA4AbWFkZSBlbHNld2hlcmU='

describe('an archive', () => {
  it('gives its files in the order of their bytes, stored or deflated, small or long', async () => {
    const long = Array.from({ length: 200_000 }, (_, n) => `${n * 7919}`).join('\n')
    const archive = await archiveOf([
      a(),
      { name: 'x\\y\\å.txt', bytes: long },
      { name: '/s', bytes: 'as is', store: true },
    ])
    expect(archive.entries.map(({ name, size }) => [name, size])).toEqual([
      ['a.csv', 8],
      ['x/y/å.txt', long.length],
      ['s', 5],
    ])
    const texts = await Promise.all(archive.entries.map((entry) => text(archive, entry)))
    expect(texts).toEqual(['a,b\n1,2\n', long, 'as is'])
  })

  it('is read by its zip64 record too', async () => {
    const archive = await archiveOf([a()], { zip64: true })
    expect(await Promise.all(archive.entries.map((entry) => text(archive, entry)))).toEqual(['a,b\n1,2\n'])
  })

  it('is read as other programs write it', async () => {
    const bytes = Uint8Array.from(atob(FOREIGN), (sign) => sign.charCodeAt(0))
    const archive = await openZip(memorySource('foreign.zip', bytes))
    expect(archive.entries.map(({ name, directory }) => [name, directory])).toEqual([
      ['å.txt', false],
      ['d/', true],
      ['d/b.txt', false],
    ])
    expect(await Promise.all(archive.entries.map((entry) => text(archive, entry)))).toEqual([
      'hej '.repeat(20),
      '',
      'hello',
    ])
  })

  it('hands out any bytes as they were packed', async () => {
    const check = async (files: Uint8Array[]): Promise<void> => {
      const archive = await archiveOf(files.map((bytes, at) => ({ name: `${at}`, bytes, store: at % 2 === 1 })))
      for (const [at, entry] of archive.entries.entries())
        expect(await archive.bytes(entry, 1_000_000)).toEqual(files[at])
    }
    const files = fc.array(fc.uint8Array({ maxLength: 3000 }), { minLength: 1, maxLength: 4 })
    await fc.assert(fc.asyncProperty(files, check), { numRuns: 50 })
  })
})

describe('a hostile archive (UPL-1)', () => {
  it('stops where it grows past its limits, by counted bytes and not by what it says', async () => {
    const bomb = { name: 'bomb', bytes: zeros(INFLATED_RATIO_EXEMPT_BYTES + 1) }
    expect(await openAndRead([bomb])).toBe('unsafe')
    expect(await openAndRead([{ ...bomb, size: 10 }])).toBe('unsafe')
    const half = { bytes: zeros(INFLATED_RATIO_EXEMPT_BYTES / 2 + 1) }
    expect(
      await openAndRead([
        { ...half, name: 'one' },
        { ...half, name: 'two' },
      ]),
    ).toBe('unsafe')
    expect(await openAndRead([{ ...half, name: 'one' }])).toBe('none')
  })

  it('is refused for overlapping entries, names that lead outside, and too many entries', async () => {
    expect(await openAndRead([a(), a({ name: 'b.csv', start: 0 })])).toBe('unsafe')
    expect(await openAndRead([a({ packedSize: 5000 })])).toBe('unsafe')
    for (const name of ['../a.csv', 'x/../../a.csv', 'C:\\a.csv', '..\\a.csv', 'a\0.csv'])
      expect([name, await openAndRead([a({ name })])]).toEqual([name, 'unsafe'])
    expect(await openAndRead([a()], { count: ARCHIVE_MAX_ENTRIES + 1 })).toBe('unsafe')
    expect(await openAndRead([a()], { count: 2 ** 40, zip64: true })).toBe('unsafe')
  })

  it('is told apart: by password, in another compression, damaged', async () => {
    expect(await openAndRead([a({ flags: 1 })])).toBe('encrypted')
    expect(await openAndRead([a({ method: 12 })])).toBe('unsupported')
    for (const lie of [{ crc: 1 }, { size: 9 }, { size: 2 ** 20 }])
      expect([lie, await openAndRead([a(lie)])]).toEqual([lie, 'broken'])
    expect(await openAndRead([a({ size: 2 ** 31 })])).toBe('unsafe')
    expect(await openAndRead([a()], { count: 2 })).toBe('broken')
    expect(await reasonOf(() => openZip(memorySource('a.zip', zeros(100))))).toBe('broken')
    expect(await reasonOf(() => openZip(memorySource('a.zip', zeros(0))))).toBe('broken')
  })

  it('cut anywhere, or with any byte changed, is read or refused, never anything else', async () => {
    const whole = await zipOf([
      a(),
      { name: 'b', bytes: 'hello '.repeat(500) },
      { name: 'c', bytes: 'as is', store: true },
    ])
    const broken = async (bytes: Uint8Array) =>
      expect(['none', 'broken', 'unsafe', 'encrypted', 'unsupported']).toContain(
        await reasonOf(async () => readAll(await openZip(memorySource('a.zip', bytes)))),
      )
    for (let end = 0; end < whole.length; end += 3) await broken(whole.subarray(0, end))
    for (let at = 0; at < whole.length; at++) {
      const changed = whole.slice()
      changed[at] = ((changed[at] ?? 0) + 1 + ((at * 31) % 254)) % 256
      await broken(changed)
    }
    await broken(concatBytes([whole, whole]))
  })
})
