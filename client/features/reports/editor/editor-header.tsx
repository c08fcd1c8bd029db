import { ActionIcon, Button, Group, Text, TextInput, Tooltip } from '@mantine/core'
import { IconAlertTriangle, IconArrowBackUp, IconArrowForwardUp, IconCheck, IconPlus } from '@tabler/icons-react'
import type { Report } from '../../../../src/shared/reports/reports'
import { describeError } from '../../../lib/describe-error'
import { MutedText } from '../../../ui/muted-text'
import { ReportMenu } from '../view/report-actions'
import classes from './editor.module.css'
import type { SaveState } from './use-autosave'

interface EditorHeaderProps {
  report: Report
  name: string
  state: SaveState
  canUndo: boolean
  canRedo: boolean
  onName: (name: string) => void
  onUndo: () => void
  onRedo: () => void
  onAdd: () => void
  onPublish: () => void
  onRetry: () => void
  onDone: () => void
  onGone: () => void
}

/** The name of what is edited, whether it is saved, and what can be done with it. */
export function EditorHeader(props: EditorHeaderProps) {
  const { report, name, state, canUndo, canRedo } = props
  const canPublish = report.status === 'draft' || report.changed || state.kind !== 'saved'
  return (
    <Group justify="space-between" align="center" gap="sm" mb="md">
      <Group gap="sm" style={{ flex: '1 1 16rem', minWidth: 0 }}>
        <h1 className="only-reader">Edit {name}</h1>
        <TextInput
          aria-label="Report name"
          className={classes.title ?? ''}
          style={{ flex: '1 1 14rem', maxWidth: '30rem' }}
          value={name}
          maxLength={80}
          error={name.trim() === '' ? 'Enter a name' : undefined}
          onChange={(event) => props.onName(event.currentTarget.value)}
        />
        <SaveStatus state={state} onRetry={props.onRetry} />
      </Group>
      <Group gap="xs">
        <Tooltip label="Undo (Ctrl+Z)">
          <ActionIcon variant="default" size={36} aria-label="Undo" disabled={!canUndo} onClick={props.onUndo}>
            <IconArrowBackUp size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <Tooltip label="Redo (Ctrl+Shift+Z)">
          <ActionIcon variant="default" size={36} aria-label="Redo" disabled={!canRedo} onClick={props.onRedo}>
            <IconArrowForwardUp size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={props.onAdd}>
          Add block
        </Button>
        <Button variant="default" onClick={props.onDone}>
          Done
        </Button>
        <Button disabled={!canPublish} onClick={props.onPublish}>
          Publish
        </Button>
        <ReportMenu report={report} inHeader onGone={props.onGone} />
      </Group>
    </Group>
  )
}

function SaveStatus({ state, onRetry }: { state: SaveState; onRetry: () => void }) {
  if (state.kind === 'failed')
    return (
      <Group gap={6} role="alert">
        <IconAlertTriangle size={16} color="var(--warn)" aria-hidden />
        <Text size="xs">Not saved: {describeError(state.error).title}</Text>
        <Button size="compact-xs" variant="subtle" onClick={onRetry}>
          Try again
        </Button>
      </Group>
    )
  return (
    <MutedText size="xs" role="status" style={{ display: 'inline-flex', gap: 4, alignItems: 'center' }}>
      {state.kind === 'saved' && <IconCheck size={14} aria-hidden />}
      {state.kind === 'saved' ? 'Saved' : state.kind === 'conflict' ? 'Not saved' : 'Saving…'}
    </MutedText>
  )
}
