import { expect, it } from 'vitest'
import { ShortQuestions } from './short-questions'

it('tells each person when the others asked last', () => {
  const questions = new ShortQuestions()
  expect(questions.lastOfOthers('anna')).toBe(-Infinity)
  questions.note('anna', 1)
  expect([questions.lastOfOthers('anna'), questions.lastOfOthers('bo')]).toEqual([-Infinity, 1])
  questions.note('bo', 2)
  questions.note('anna', 3)
  questions.note('anna', 4)
  expect([questions.lastOfOthers('anna'), questions.lastOfOthers('bo')]).toEqual([2, 4])
})
