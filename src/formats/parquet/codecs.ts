import { decompress as decompressZstd } from 'fzstd'
import { snappyUncompress } from 'hyparquet'
import type { CompressionCodec } from 'hyparquet'
import { decompressBrotli } from 'hyparquet-compressors/src/brotli.js'
import { gunzip } from 'hyparquet-compressors/src/gzip.js'
import { decompressLz4, decompressLz4Raw } from 'hyparquet-compressors/src/lz4.js'
import { parquetDamagedError, parquetUnsupportedError } from './faults'

/** A page's bytes, unpacked into memory of their own. @throws ProductError when they are not what was announced. */
export function decompressPage(codec: CompressionCodec | undefined, input: Uint8Array, length: number): Uint8Array {
  if (length === 0) return new Uint8Array(0)
  const output = decompressBytes(codec, input, length)
  if (output.length !== length) throw parquetDamagedError('a page is not as long as announced')
  return output
}

function decompressBytes(codec: CompressionCodec | undefined, input: Uint8Array, length: number): Uint8Array {
  switch (codec) {
    case 'UNCOMPRESSED':
      return input.slice()
    case 'SNAPPY': {
      const output = new Uint8Array(length)
      snappyUncompress(input, output)
      return output
    }
    case 'GZIP':
      return gunzip(input, new Uint8Array(length))
    case 'BROTLI':
      return decompressBrotli(input, length)
    case 'ZSTD':
      return decompressZstd(input, new Uint8Array(length))
    case 'LZ4':
      return decompressLz4(input, length)
    case 'LZ4_RAW':
      return decompressLz4Raw(input, length)
    case 'LZO':
    case undefined:
    default:
      throw parquetUnsupportedError(`the compression ${codec ?? 'of an unknown kind'}`)
  }
}
