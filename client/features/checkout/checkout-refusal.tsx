import { Alert } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { DETAIL_FIELDS } from './use-details'
import { ApiError } from '../../lib/api'
import { fieldErrors, FormError } from '../../ui/form-error'
import type { ErrorCode } from '../../../src/shared/errors'

const WORDS: Partial<Record<ErrorCode, { title: string; advice: string }>> = {
  billing_unavailable: {
    title: 'Billing cannot be reached.',
    advice: 'Your choice stays here. Try again in a moment: trying twice never charges twice.',
  },
  version_conflict: {
    title: 'Somebody changed the subscription meanwhile.',
    advice: 'The figures are up to date again. Look at them, then confirm once more.',
  },
  in_use: {
    title: 'This workspace is subscribed already.',
    advice: 'What you confirm now changes that subscription. Look at the figures first.',
  },
}

const isDetail = (path: string): boolean => DETAIL_FIELDS.some((field) => field === path)

/** Why nothing was ordered, and what to do about it. What belongs to a field is said beside it. */
export function CheckoutRefusal({ error }: { error: unknown }) {
  if (!(error instanceof ApiError)) return <FormError error={error} />
  const fields = Object.entries(fieldErrors(error) ?? {})
  const beside = fields.filter(([path]) => !isDetail(path)).map(([, sentence]) => sentence)
  const words =
    WORDS[error.body.code] ??
    (fields.length > 0
      ? { title: 'Nothing was ordered.', advice: beside.join(' ') || 'Look at the marked fields.' }
      : undefined)
  if (!words) return <FormError error={error} />
  return (
    <Alert color="red" icon={<IconAlertCircle aria-hidden />} role="alert" title={words.title}>
      {words.advice}
    </Alert>
  )
}
