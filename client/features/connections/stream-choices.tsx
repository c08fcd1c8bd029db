import { Checkbox, Select, Stack, Text } from '@mantine/core'
import classes from './connections.module.css'
import { useFormat } from '../../lib/format'
import { formatRowCount } from '../../../src/shared/figures/formatter'
import { SOURCE_MAX_DATASETS } from '../../../src/shared/limits'
import { TERMS } from '../../../src/shared/terms'
import { STREAM_MODES, type SourceStream, type StreamMode } from '../../../src/shared/data-sources/connectors'

export interface ChosenStream {
  key: string
  mode: StreamMode
}

export const MODE_LABELS: Record<StreamMode, string> = {
  replace: 'Replace all rows',
  upsert: 'Update or add (upsert)',
  append: TERMS.append,
  live: 'Query live',
}

/** What is different about tables whose rows stay in their database. */
export const LIVE_WORDS =
  'Rows stay in your database; each chart queries it. Findings, groupings, currency conversion and relationships to other sources need an import.'

export const proposedStreams = (streams: readonly SourceStream[]): ChosenStream[] =>
  streams
    .filter(({ proposed }) => proposed)
    .slice(0, SOURCE_MAX_DATASETS)
    .map(({ key, modes }) => ({ key, mode: modes[0] }))

interface StreamChoicesProps {
  streams: readonly SourceStream[]
  chosen: readonly ChosenStream[]
  onChange: (chosen: ChosenStream[]) => void
}

/** What of a source is read, and how its rows meet those that are there. */
export function StreamChoices({ streams, chosen, onChange }: StreamChoicesProps) {
  const toggle = (stream: SourceStream, on: boolean): void =>
    onChange(
      on ? [...chosen, { key: stream.key, mode: stream.modes[0] }] : chosen.filter(({ key }) => key !== stream.key),
    )
  const setMode = (key: string, mode: StreamMode): void =>
    onChange(chosen.map((each) => (each.key === key ? { key, mode } : each)))
  const isFull = chosen.length >= SOURCE_MAX_DATASETS
  return (
    <Stack gap={0} component="ul" className={classes.list}>
      {streams.map((stream) => {
        const picked = chosen.find(({ key }) => key === stream.key)
        return (
          <StreamChoice
            key={stream.key}
            stream={stream}
            mode={picked?.mode ?? null}
            isDisabled={isFull && !picked}
            onToggle={(on) => toggle(stream, on)}
            onMode={(mode) => setMode(stream.key, mode)}
          />
        )
      })}
    </Stack>
  )
}

interface StreamChoiceProps {
  stream: SourceStream
  /** Null: not chosen. */
  mode: StreamMode | null
  isDisabled: boolean
  onToggle: (on: boolean) => void
  onMode: (mode: StreamMode) => void
}

function StreamChoice({ stream, mode, isDisabled, onToggle, onMode }: StreamChoiceProps) {
  const format = useFormat()
  const { label, columns, modes, incrementalColumn, estimatedRows } = stream
  const facts = [
    columns === null ? null : `${format.count(columns.length)} columns`,
    estimatedRows === undefined ? null : `about ${formatRowCount(format, estimatedRows)}`,
    incrementalColumn === null ? null : `new rows by ${incrementalColumn}`,
  ].filter((fact) => fact !== null)
  return (
    <li className={classes.stream}>
      <Checkbox
        label={label}
        checked={mode !== null}
        disabled={isDisabled}
        onChange={(event) => onToggle(event.currentTarget.checked)}
        style={{ flex: '1 1 12rem' }}
      />
      {facts.length > 0 && (
        <Text size="sm" c="dimmed">
          {facts.join(' · ')}
        </Text>
      )}
      {mode !== null && modes.length > 1 && (
        <Select
          aria-label={`How rows of ${label} are added`}
          size="xs"
          allowDeselect={false}
          data={modes.map((each) => ({ value: each, label: MODE_LABELS[each] }))}
          value={mode}
          onChange={(next) => onMode(STREAM_MODES.find((each) => each === next) ?? mode)}
        />
      )}
      {mode === 'live' && (
        <Text size="sm" c="dimmed" style={{ flex: '1 0 100%' }}>
          {LIVE_WORDS}
        </Text>
      )}
    </li>
  )
}
