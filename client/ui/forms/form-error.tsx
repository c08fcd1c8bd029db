import { Alert } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../lib/api'
import { describeError } from '../../lib/describe-error'
import { onHandled } from '../../lib/writes/handled-event'
import type { ErrorCode } from '../../../src/shared/errors'
import { UpgradeHint } from '../upgrade-hint'

/** By field: what is said beside it; true marks it without words of its own. */
type FieldMarks = Record<string, string | true>
export interface ErrorTarget {
  setErrors: (errors: FieldMarks) => void
}

/** Sentences beside the fields they belong to, from a 422; null when the refusal is about something else. */
export function fieldErrors(error: unknown): Record<string, string> | null {
  if (!(error instanceof ApiError) || error.body.code !== 'invalid_input') return null
  const fields: unknown = error.body['fields']
  if (typeof fields !== 'object' || fields === null) return null
  const entries = Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return entries.length === 0 ? null : Object.fromEntries(entries)
}

/** Refusals that name no field, and the fields of a form that they are about. */
const FIELDS_BY_CODE: Partial<Record<ErrorCode, readonly string[]>> = {
  name_taken: ['name'],
  account_exists: ['email'],
  invalid_credentials: ['email', 'password'],
}

/** Marks the fields that a refusal is about: those it names, with its words; else those of its code, without. */
function markedFields(error: unknown, known: readonly string[]): FieldMarks | null {
  const fields = fieldErrors(error)
  if (fields !== null || !(error instanceof ApiError)) return fields
  const marked = (FIELDS_BY_CODE[error.body.code] ?? []).filter((field) => known.includes(field))
  return marked.length === 0 ? null : Object.fromEntries(marked.map((field) => [field, true]))
}

/**
 * Puts a refusal where it belongs: on the fields when they are named or meant, and known to the form.
 * Answers what is left to say above the form, or null.
 */
export function applyFieldErrors(form: ErrorTarget, error: unknown, known: readonly string[]): unknown {
  const marks = markedFields(error, known)
  if (marks === null) return error
  form.setErrors(marks)
  const isSaid = Object.entries(marks).every(
    ([path, words]) => words !== true && known.includes(path.split('.')[0] ?? path),
  )
  return isSaid ? null : error
}

/** Refusals whose cause is what was entered: entering something else takes it away. */
const CAUSED_BY_INPUT: readonly ErrorCode[] = [
  'account_exists',
  'invalid_credentials',
  'invalid_input',
  'name_taken',
  'query_too_complex',
  'target_not_allowed',
  'too_large',
  'unknown_field',
]

/** Whether a refusal still stands: one that was about what was entered goes with the next entry in its form. */
function useStandingError(error: unknown) {
  const anchor = useRef<HTMLDivElement>(null)
  const [answered, setAnswered] = useState<unknown>(null)
  const isAnswerable = error instanceof ApiError && CAUSED_BY_INPUT.includes(error.body.code)
  useEffect(() => {
    const form = anchor.current?.closest('form')
    if (!form || !isAnswerable) return
    const dismiss = ({ target }: Event): void => {
      if (target instanceof Node && form.contains(target)) setAnswered(error)
    }
    const stops = [onHandled('input', dismiss), onHandled('change', dismiss)]
    return () => stops.forEach((stop) => stop())
  }, [error, isAnswerable])
  return { anchor, isStanding: error !== null && error !== undefined && answered !== error }
}

/** A refusal above a form, announced when it appears; gone when its cause is. */
export function FormError({ error }: { error: unknown }) {
  const { anchor, isStanding } = useStandingError(error)
  if (!isStanding) return null
  const { title, advice, requestId } = describeError(error)
  return (
    <Alert ref={anchor} color="red" icon={<IconAlertCircle aria-hidden />} role="alert" title={title}>
      {advice}
      {requestId !== null && <> Reference ID: {requestId}</>}
      <UpgradeHint error={error} />
    </Alert>
  )
}

/** The words about a value that was refused, until another value is entered. */
export function useErrorUntilChange(error: string | null, value: string): string | null {
  const [refused, setRefused] = useState({ error, value })
  if (refused.error === error) return refused.value === value ? error : null
  setRefused({ error, value })
  return error
}
