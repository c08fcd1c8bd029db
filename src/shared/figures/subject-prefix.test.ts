import { describe, expect, it } from 'vitest'
import { subjectPrefix } from './subject-prefix'

describe('what a sentence is about', () => {
  it('ends with a colon, or with the mark that its name has', () => {
    expect(subjectPrefix('Sales')).toBe('Sales:')
    expect(subjectPrefix('Which cost rose?')).toBe('Which cost rose?')
  })
})
