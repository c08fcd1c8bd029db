import { Alert, Button, Group, Text } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { SUPPORTED_FORMATS } from './upload/file-kinds'
import { ApiError } from '../../lib/api'
import { describeError, READ_ONLY_TEXT, readOnlyReasonOf } from '../../lib/describe-error'
import { useFormat } from '../../lib/format'
import type { Formatter } from '../../../src/shared/figures/formatter'
import { ERRORS, type ErrorBody, type ErrorCode, type ErrorDetails } from '../../../src/shared/errors'
import { describeRolesWith } from '../../../src/shared/permissions'
import { LinkButton } from '../../ui/buttons/links'
import { UpgradeHint } from '../../ui/upgrade-hint'

/** A refusal for people: what is wrong, where, what to do next. */
export interface SourceError {
  title: string
  advice: string
  /** Line of the file where it was seen. */
  line: number | null
  next: 'retry' | 'pickFile' | 'rename' | 'manage' | 'reload' | null
  requestId: string | null
}

const FILE_ERROR_TEXT: Record<string, Pick<SourceError, 'title' | 'advice'>> = {
  unknown_kind: {
    title: 'Unsupported file type',
    advice: `Supported: ${SUPPORTED_FORMATS}.`,
  },
  broken: {
    title: 'File incomplete or corrupt',
    advice: 'Export it again. In text files, check for an unclosed quote.',
  },
  encrypted: {
    title: 'File is password-protected',
    advice: 'Upload a copy without a password.',
  },
  empty: {
    title: 'File has no rows',
    advice: 'Check the export and its period, then upload it again.',
  },
  unsafe: { title: 'File is unsafe', advice: 'Export the table as a plain file.' },
  unsupported: {
    title: 'Unsupported file type',
    advice: 'Save it as .xlsx or CSV.',
  },
}

const numberDetail = (details: ErrorDetails, key: string): number | null => {
  const value = details[key]
  return typeof value === 'number' ? value : null
}
const textDetail = (details: ErrorDetails, key: string): string => {
  const value = details[key]
  return typeof value === 'string' ? value : ''
}

function describeTooLarge(body: ErrorBody, format: Formatter): Pick<SourceError, 'title' | 'advice'> {
  const max = numberDetail(body, 'max')
  const what = textDetail(body, 'what')
  const size = max === null ? '' : what === 'rows' || what === 'columns' ? format.count(max) : format.bytes(max)
  if (what === 'workspace')
    return { title: 'Workspace storage full', advice: 'Delete sources you don’t need, then try again.' }
  if (what === 'rows' || what === 'columns')
    return {
      title: `Too many ${what}: limit ${size} per table`,
      advice: what === 'rows' ? 'Split the file, for example by year.' : 'Exclude columns you don’t need.',
    }
  return {
    title: size === '' ? 'File too large' : `File larger than ${size}`,
    advice: 'Split it, for example by year, and import each part into the same source.',
  }
}

function describeLimitReached(body: ErrorBody, format: Formatter): Pick<SourceError, 'title' | 'advice'> {
  const max = numberDetail(body, 'max')
  return {
    title: max === null ? body.message : `Data source limit reached (${format.count(max)})`,
    advice: 'Import into an existing source, or delete one.',
  }
}

const UNREADABLE_FILE_TEXT = {
  title: 'Couldn’t read file',
  advice: 'Export it again and upload the new file.',
}

/** The server's own sentences where they say more than the catalogue: the first is what is wrong, the rest what to do. */
function serverText({ code, message }: ErrorBody): Partial<Pick<SourceError, 'title' | 'advice'>> | null {
  if (message === '' || message === ERRORS[code].message) return null
  const [, title = message, advice = ''] = /^(.*?)[.]\s+(.+)$/s.exec(message) ?? []
  return { title: title.replace(/\.$/, ''), ...(advice === '' ? {} : { advice }) }
}

type SourceErrorText = Pick<SourceError, 'title' | 'advice' | 'next'>

const TEXT_BY_ERROR_CODE: Partial<Record<ErrorCode, (body: ErrorBody, format: Formatter) => SourceErrorText | null>> = {
  file_unreadable: (body) => {
    const known = FILE_ERROR_TEXT[textDetail(body, 'reason')]
    const exact = serverText(body)
    return known || exact ? { ...UNREADABLE_FILE_TEXT, ...known, ...exact, next: 'pickFile' } : null
  },
  too_large: (body, format) => ({ ...describeTooLarge(body, format), ...serverText(body), next: 'pickFile' }),
  limit_reached: (body, format) =>
    body['limit'] === 'uploads'
      ? { title: body.message, advice: '', ...serverText(body), next: 'retry' }
      : { ...describeLimitReached(body, format), next: 'manage' },
  name_taken: () => ({
    title: 'Name already in use',
    advice: 'Enter another name.',
    next: 'rename',
  }),
  read_only: (body) => {
    const reason = readOnlyReasonOf(body['reason'])
    const { title, stays } = reason ? READ_ONLY_TEXT[reason] : { title: body.message, stays: '' }
    return { title, advice: stays, ...serverText(body), next: null }
  },
  forbidden: (body) => ({
    title: 'Your role doesn’t allow this',
    advice: `Ask ${describeRolesWith(textDetail(body, 'permission'))}.`,
    next: null,
  }),
  busy: ({ message }) => ({
    title: message.replace(/\.$/, ''),
    advice: 'Wait a moment, then try again.',
    next: 'retry',
  }),
  expired: () => ({ title: 'Upload expired', advice: 'Upload the file again.', next: 'pickFile' }),
  not_found: () => ({
    title: 'Not found, or you don’t have access',
    advice: 'Uploads expire after 24 hours. Upload the file again.',
    next: 'pickFile',
  }),
  csrf_invalid: () => ({ title: 'Page out of date', advice: 'Reload and try again.', next: 'reload' }),
}

/** Any throw of this room as a fault with its next step. */
export function describeSourceError(error: unknown, format: Formatter): SourceError {
  const general = describeError(error)
  if (!(error instanceof ApiError)) return { ...general, line: null, next: 'retry' }
  const words = TEXT_BY_ERROR_CODE[error.body.code]?.(error.body, format) ?? {
    title: general.title,
    advice: general.advice,
    next: 'retry' as const,
  }
  return { ...words, line: numberDetail(error.body, 'line'), requestId: general.requestId }
}

export interface SourceErrorNoticeProps {
  error: unknown
  /** What was being done, when the refusal itself is not enough: the file's name. */
  subject?: string
  onRetry?: (() => void) | undefined
  onPickFile?: (() => void) | undefined
}

/** What went wrong, where, and the one step that helps. */
export function SourceErrorNotice({ error, subject, onRetry, onPickFile }: SourceErrorNoticeProps) {
  const fault = describeSourceError(error, useFormat())
  return (
    <Alert color="red" icon={<IconAlertCircle aria-hidden />} role="alert" title={fault.title}>
      <Text size="sm">
        {subject !== undefined && <strong>{subject}. </strong>}
        {fault.line !== null && !/\bline \d/i.test(fault.title) && <strong>Line {fault.line}. </strong>}
        {fault.advice}
      </Text>
      {fault.requestId !== null && (
        <Text size="xs" mt={4}>
          Reference ID: <code>{fault.requestId}</code>
        </Text>
      )}
      <UpgradeHint error={error} />
      <RecoveryAction fault={fault} onRetry={onRetry} onPickFile={onPickFile} />
    </Alert>
  )
}

function RecoveryAction({
  fault,
  onRetry,
  onPickFile,
}: { fault: SourceError } & Pick<SourceErrorNoticeProps, 'onRetry' | 'onPickFile'>) {
  const step = recoveryActionOf(fault, { onRetry, onPickFile })
  return step === null ? null : <Group mt="sm">{step}</Group>
}

function recoveryActionOf(
  sourceError: SourceError,
  { onRetry, onPickFile }: Pick<SourceErrorNoticeProps, 'onRetry' | 'onPickFile'>,
): ReactNode {
  if (sourceError.next === 'manage')
    return (
      <LinkButton to="/data-sources" variant="default">
        View data sources
      </LinkButton>
    )
  if (sourceError.next === 'reload')
    return (
      <Button variant="default" onClick={() => window.location.reload()}>
        Reload page
      </Button>
    )
  if (sourceError.next === 'pickFile' && onPickFile)
    return (
      <Button variant="default" onClick={onPickFile}>
        Choose another file
      </Button>
    )
  if (sourceError.next === 'retry' && onRetry)
    return (
      <Button variant="default" onClick={onRetry}>
        Try again
      </Button>
    )
  return null
}
