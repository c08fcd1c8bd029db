// npm run suite -- forecast: builds the forecast model as a module and says where it lies and how it is called.
import { relative } from 'node:path'
import { builtForecast } from './forecast-module.mjs'

const { module } = await builtForecast()
console.log(`forecast module: ${module}`)
console.log('  exports forecast({values, period, horizon, frequency, level}) -> {mean, lower, upper}')
console.log('  and run, the same as people get it: data looked after, backtest and its rule included')
console.log(
  `call it: node m4-eval.mjs --data series.jsonl.gz --module ${relative(process.env.INIT_CWD ?? process.cwd(), module)}`,
)
console.log('1 passed, 0 failed')
