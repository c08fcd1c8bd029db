import { expect, it } from 'vitest'
import { SpareArrays, workingArrays } from './working-arrays'
import { numbersOf } from './vectors'
import { finished } from '../../../test/worker/run-query'
import type { QuerySteps } from '../scheduling/query-scheduler'

/** A question that takes arrays, a piece for each length. */
function* taking(...lengths: number[]): QuerySteps<Float64Array[]> {
  const taken: Float64Array[] = []
  for (const length of lengths) {
    taken.push(workingArrays().numbers(length))
    yield
  }
  return taken
}

it('gives the next question the arrays of the one before, each as long as it asks for', () => {
  const arrays = new SpareArrays()
  const [first, second] = finished(arrays.lentTo(taking(8, 5)))
  const next = finished(arrays.lentTo(taking(5, 8, 8)))
  expect(next.map(({ length }) => length)).toEqual([5, 8, 8])
  expect(next[0]).toBe(second)
  expect(next[1]).toBe(first)
  expect(next[2]).not.toBe(first)
})

it('gives a longer one where none is as short', () => {
  const arrays = new SpareArrays()
  const [long] = finished(arrays.lentTo(taking(9)))
  expect(finished(arrays.lentTo(taking(4)))[0]).toBe(long)
})

it('keeps numbers, codes and marks', () => {
  function* kinds(): QuerySteps<unknown[]> {
    yield
    return [workingArrays().numbers(4), workingArrays().codes(4), workingArrays().marks(4)]
  }
  const arrays = new SpareArrays()
  const first = finished(arrays.lentTo(kinds()))
  for (const [i, array] of finished(arrays.lentTo(kinds())).entries()) expect(array).toBe(first[i])
})

it('lends an array to one question at a time, whose pieces take turns', () => {
  const arrays = new SpareArrays()
  finished(arrays.lentTo(taking(6, 6, 6)))
  const [one, other] = [arrays.lentTo(taking(6, 6)), arrays.lentTo(taking(6, 6))]
  const answers: Float64Array[] = []
  for (let left = [one, other]; left.length > 0;)
    left = left.filter((steps) => {
      const { done, value } = steps.next()
      if (done === true) answers.push(...value)
      return done !== true
    })
  expect(new Set(answers).size).toBe(4)
})

it('takes back what a refused question worked in, and nothing of one that was left half done', () => {
  const arrays = new SpareArrays()
  const seen: Float64Array[] = []
  function* refused(): QuerySteps<void> {
    seen.push(workingArrays().numbers(3))
    yield
    throw new Error('refused')
  }
  expect(() => finished(arrays.lentTo(refused()))).toThrow('refused')
  const leftAlone = arrays.lentTo(taking(3, 3))
  leftAlone.next()
  const [own] = finished(arrays.lentTo(taking(3)))
  expect(own).not.toBe(seen[0])
  const [again] = finished(arrays.lentTo(taking(3)))
  expect(again).toBe(own)
})

it('keeps a few only, and none once it was cleared', () => {
  const arrays = new SpareArrays()
  const many = finished(arrays.lentTo(taking(...Array.from({ length: 40 }, () => 2))))
  const next = finished(arrays.lentTo(taking(...Array.from({ length: 40 }, () => 2))))
  expect(next.filter((array) => many.includes(array))).toHaveLength(12)
  arrays.clear()
  const after = finished(arrays.lentTo(taking(2)))
  expect([...many, ...next]).not.toContain(after[0])
})

it('lends nothing to what was made outside of a question, and may outlive it', () => {
  const kept = numbersOf(({ rows }, to) => void to.fill(0, 0, rows))
  const arrays = new SpareArrays()
  function* using(): QuerySteps<Float64Array> {
    yield
    return kept({ chunk: 0, rows: 5 })
  }
  const own = finished(arrays.lentTo(using()))
  expect(finished(arrays.lentTo(taking(5)))[0]).not.toBe(own)
  expect(workingArrays().numbers(2)).toEqual(new Float64Array(2))
})
