import { afterEach, expect, it, vi } from 'vitest'
import { log, withoutParameters } from './log'

afterEach(() => vi.restoreAllMocks())

const STACK = '\n    at run (worker.js:1:2)\n    at handle (worker.js:3:4)'

it.each([
  [
    `Failed query: select ? params: anna@example.com,secret${STACK}`,
    `Failed query: select ? params: [removed]${STACK}`,
  ],
  [`Failed query: x\nparams: one\ntwo\n  three${STACK}`, `Failed query: x\nparams: [removed]${STACK}`],
  [
    "D1_TYPE_ERROR: Type 'object' not supported for value 'Anna'",
    "D1_TYPE_ERROR: Type 'object' not supported for value [removed]",
  ],
  ['the params of a plan', 'the params of a plan'],
])('%j keeps no value of a statement', (text, kept) => {
  expect(withoutParameters(text)).toBe(kept)
})

it('leaves values of statements out of every line, wherever they stand', () => {
  const written = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  log('error', 'failed', { error: 'x params: secret-1', deep: [{ cause: 'y parameters: secret-2' }], n: 3 })
  expect(written.mock.calls).toEqual([
    [
      '{"level":"error","message":"failed","error":"x params: [removed]","deep":[{"cause":"y parameters: [removed]"}],"n":3}',
    ],
  ])
})
