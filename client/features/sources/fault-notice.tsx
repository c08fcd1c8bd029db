import { Alert, Button, Group, Text } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { describeSourceError } from './fault-words'
import type { SourceError } from './fault-words'
import { useFormat } from '../../lib/format'
import { LinkButton } from '../../ui/links'
import { UpgradeHint } from '../../ui/way-out'

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
          Quote this if you write to us: <code>{fault.requestId}</code>
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
        See your sources
      </LinkButton>
    )
  if (sourceError.next === 'reload')
    return (
      <Button variant="default" onClick={() => window.location.reload()}>
        Reload the page
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
