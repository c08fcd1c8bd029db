import { spawn, spawnSync } from 'node:child_process'
import { Socket } from 'node:net'
import { createInterface } from 'node:readline'

interface Engine {
  query(text: string, values: readonly string[]): Promise<(string | null)[][]>
}

const PYTHON = process.env['CHDB_PYTHON'] ?? 'python3'
/** One statement a line in, one answer a line out. */
const BRIDGE = `
import json, sys
from chdb import session
s = session.Session()
s.query("CREATE DATABASE IF NOT EXISTS plans ENGINE = Atomic")
s.query("USE plans")
s.query("SET join_use_nulls = 1, transform_null_in = 0, session_timezone = 'UTC', cast_keep_nullable = 1, aggregate_functions_null_for_empty = 1, enable_analyzer = 1")
for line in sys.stdin:
    asked = json.loads(line)
    try:
        params = {"p%d" % (i + 1): v for i, v in enumerate(asked["values"])}
        answer = s.query(asked["text"], "JSONCompactEachRow", params=params) if params else s.query(asked["text"], "JSONCompactEachRow")
        rows = [json.loads(row) for row in str(answer).split("\\n") if row.strip()]
        print(json.dumps({"rows": rows}), flush=True)
    except Exception as error:
        print(json.dumps({"error": str(error)[:4000]}), flush=True)
`

/** Whether the machine has one; it takes a second to say. */
export const hasClickhouse = (): boolean => spawnSync(PYTHON, ['-c', 'import chdb'], { stdio: 'ignore' }).status === 0

/** ClickHouse within a Python process (the package chdb); null where the machine has none. */
export function clickhouse(): Promise<Engine | null> {
  if (!hasClickhouse()) return Promise.resolve(null)
  const bridge = spawn(PYTHON, ['-c', BRIDGE], { stdio: ['pipe', 'pipe', 'inherit'] })
  bridge.unref()
  for (const stream of [bridge.stdin, bridge.stdout]) if (stream instanceof Socket) stream.unref()
  process.on('exit', () => bridge.kill('SIGKILL'))
  const waiting: ((line: string) => void)[] = []
  createInterface({ input: bridge.stdout }).on('line', (line) => waiting.shift()?.(line))
  return Promise.resolve({
    async query(text, values) {
      const { promise, resolve } = Promise.withResolvers<string>()
      waiting.push(resolve)
      bridge.stdin.write(`${JSON.stringify({ text, values })}\n`)
      const { rows, error }: { rows?: (string | null)[][]; error?: string } = JSON.parse(await promise)
      if (error !== undefined) throw new Error(error)
      return (rows ?? []).map((row) => row.map((cell) => (cell === null ? null : String(cell))))
    },
  })
}
