// npm run bench:forecast [-- --file F[,G]] [--freq monthly,weekly] [--limit N] [--short] [--plain]: the forecast model over series with what came
// after them (one JSON object a line, .gz or plain: id, freq, period, horizon, train, test), beside reference methods in the same run.
// --short keeps only the newest of each history; --plain leaves out run(), what people get, whose backtests take most of
// the time.
import './guard.mjs'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { builtForecast } from './forecast-module.mjs'

const { values: asked } = parseArgs({
  options: {
    file: { type: 'string' },
    freq: { type: 'string' },
    limit: { type: 'string' },
    short: { type: 'boolean', default: false },
    plain: { type: 'boolean', default: false },
  },
})
const from = process.env.INIT_CWD ?? process.cwd()
const beside = (name) => resolve(import.meta.dirname, '../../shared/data', name)
const files = asked.file
  ? asked.file.split(',').map((file) => resolve(from, file))
  : ['m3-dev.jsonl.gz', 'm4-dev.jsonl.gz'].map(beside)
const missing = files.filter((file) => !existsSync(file))
if (missing.length > 0) {
  console.log(`No series to measure on: ${missing.join(', ')} not there. Name files with --file.`)
  process.exit(asked.file ? 2 : 0)
}

const read = (file) => {
  const bytes = readFileSync(file)
  const text = (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString('utf8')
  return text.split('\n').flatMap((line) => (line.trim() ? [JSON.parse(line)] : []))
}
const wanted = asked.freq?.split(',')
const series = files
  .flatMap(read)
  .filter(({ freq }) => !wanted || wanted.includes(freq))
  .slice(0, asked.limit ? Number(asked.limit) : undefined)
const { report } = await import(pathToFileURL((await builtForecast()).report).href)
console.log(report(series, { short: asked.short, plain: asked.plain, clock: () => performance.now() }).join('\n'))
