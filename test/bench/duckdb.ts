import { DuckDBInstance } from '@duckdb/node-api'
import type { Question } from './questions.ts'

/** Milliseconds of every question, `times` each, by native DuckDB on one thread over the same file. */
export async function duckdbTimes(file: string, asked: readonly Question[], times: number): Promise<number[][]> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  await connection.run(
    `CREATE TABLE o AS SELECT * REPLACE (amount::DECIMAL(18,2) AS amount, cost::DECIMAL(18,2) AS cost) FROM read_csv('${file}')`,
  )
  const taken: number[][] = []
  for (const { sql } of asked) {
    const own: number[] = []
    for (let n = 0; n < times; n++) {
      const started = performance.now()
      const answer = await connection.runAndReadAll(sql)
      answer.getRowsJS()
      own.push(performance.now() - started)
    }
    taken.push(own)
  }
  connection.closeSync()
  instance.closeSync()
  return taken
}
