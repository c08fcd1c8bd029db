import { ProductError } from '../../shared/errors'
import { RECORD_MAX_CHARS } from '../../shared/limits'

export function invalidJsonError(line: number, why: string): ProductError {
  return new ProductError(
    'file_unreadable',
    { reason: 'broken', line },
    `This is no correct JSON: on line ${line} ${why}. Correct it in the file, or export the file again.`,
  )
}

export function emptyJsonError(): ProductError {
  return new ProductError(
    'file_unreadable',
    { reason: 'empty', line: 1 },
    'The file is empty. Choose a file with records.',
  )
}

export function tooManyJsonValuesError(line: number): ProductError {
  return new ProductError(
    'file_unreadable',
    { reason: 'unsafe', line },
    `The record that begins on line ${line} holds more values than can be read at once. ` +
      'Export the records as a list, or one on each line.',
  )
}

export function jsonRecordTooLongError(line: number): ProductError {
  return new ProductError(
    'file_unreadable',
    { reason: 'unsafe', line },
    `One value, which begins on line ${line}, is longer than ${RECORD_MAX_CHARS.toLocaleString('en-US')} characters. ` +
      'Export the records as a list, or one on each line.',
  )
}
