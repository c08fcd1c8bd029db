import { Alert } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { ApiError } from '../../lib/api'
import { describeError } from '../../lib/describe-error'
import { UpgradeHint } from '../upgrade-hint'

interface ErrorTarget {
  setErrors: (errors: Record<string, string>) => void
}

/** Sentences beside the fields they belong to, from a 422; null when the refusal is about something else. */
export function fieldErrors(error: unknown): Record<string, string> | null {
  if (!(error instanceof ApiError) || error.body.code !== 'invalid_input') return null
  const fields: unknown = error.body['fields']
  if (typeof fields !== 'object' || fields === null) return null
  const entries = Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return entries.length === 0 ? null : Object.fromEntries(entries)
}

/**
 * Puts a refusal where it belongs: on the fields when they are named and known to the form.
 * Answers what is left to say above the form, or null.
 */
export function applyFieldErrors(form: ErrorTarget, error: unknown, known: readonly string[]): unknown {
  const fields = fieldErrors(error)
  if (fields === null) return error
  form.setErrors(fields)
  return Object.keys(fields).every((path) => known.includes(path.split('.')[0] ?? path)) ? null : error
}

/** A refusal above a form, announced when it appears. */
export function FormError({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null
  const { title, advice, requestId } = describeError(error)
  return (
    <Alert color="red" icon={<IconAlertCircle aria-hidden />} role="alert" title={`${title}.`}>
      {advice}
      {requestId !== null && <> Request id: {requestId}</>}
      <UpgradeHint error={error} />
    </Alert>
  )
}
