import { Group, Select, TextInput } from '@mantine/core'
import type { GroupingEditorContext } from './grouping-editor'
import type { GroupingFallback } from '../../../src/shared/groupings'

const FALLBACK_OPTIONS = [
  { value: 'ungrouped', label: 'stand together as' },
  { value: 'asIs', label: 'stand each for itself' },
  { value: 'exclude', label: 'are left out' },
]

/** What becomes of values without a group. */
export function FallbackPicker({ draft, act, may }: GroupingEditorContext) {
  const { fallback } = draft
  const choose = (kind: string | null): void => {
    const next: Record<string, GroupingFallback> = {
      ungrouped: { kind: 'ungrouped', name: 'Ungrouped' },
      asIs: { kind: 'asIs' },
      exclude: { kind: 'exclude' },
    }
    const chosen = next[kind ?? '']
    if (chosen) act({ kind: 'fallback', fallback: chosen })
  }
  return (
    <Group gap="xs" align="flex-end">
      <Select
        label="Values without a group"
        data={FALLBACK_OPTIONS}
        value={fallback.kind}
        onChange={choose}
        allowDeselect={false}
        disabled={!may}
        w={210}
      />
      {fallback.kind === 'ungrouped' && (
        <TextInput
          aria-label="Name of what has no group"
          value={fallback.name}
          maxLength={80}
          disabled={!may}
          w={150}
          onChange={(event) =>
            act({ kind: 'fallback', fallback: { kind: 'ungrouped', name: event.currentTarget.value } })
          }
        />
      )}
    </Group>
  )
}
