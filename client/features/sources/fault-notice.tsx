import { Alert, Button, Group, Text } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { faultOf } from './fault-words'
import type { Fault } from './fault-words'
import { useFormat } from '../../lib/format'
import { LinkButton } from '../../ui/links'
import { WayOut } from '../../ui/way-out'

export interface FaultNoticeProps {
  error: unknown
  /** What was being done, when the refusal itself is not enough: the file's name. */
  subject?: string
  onRetry?: (() => void) | undefined
  onPickFile?: (() => void) | undefined
}

/** What went wrong, where, and the one step that helps. */
export function FaultNotice({ error, subject, onRetry, onPickFile }: FaultNoticeProps) {
  const fault = faultOf(error, useFormat())
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
      <WayOut error={error} />
      <NextStep fault={fault} onRetry={onRetry} onPickFile={onPickFile} />
    </Alert>
  )
}

function NextStep({ fault, onRetry, onPickFile }: { fault: Fault } & Pick<FaultNoticeProps, 'onRetry' | 'onPickFile'>) {
  const step = stepOf(fault, { onRetry, onPickFile })
  return step === null ? null : <Group mt="sm">{step}</Group>
}

function stepOf(fault: Fault, { onRetry, onPickFile }: Pick<FaultNoticeProps, 'onRetry' | 'onPickFile'>): ReactNode {
  if (fault.next === 'manage')
    return (
      <LinkButton to="/data-sources" variant="default">
        See your sources
      </LinkButton>
    )
  if (fault.next === 'reload')
    return (
      <Button variant="default" onClick={() => window.location.reload()}>
        Reload the page
      </Button>
    )
  if (fault.next === 'pickFile' && onPickFile)
    return (
      <Button variant="default" onClick={onPickFile}>
        Choose another file
      </Button>
    )
  if (fault.next === 'retry' && onRetry)
    return (
      <Button variant="default" onClick={onRetry}>
        Try again
      </Button>
    )
  return null
}
