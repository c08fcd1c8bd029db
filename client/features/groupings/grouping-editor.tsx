import { Badge, Button, Group, Stack } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { ValidityPeriodPicker } from './era-choice'
import { FrozenGroupingNotice } from './frozen-grouping'
import { GroupingActions } from './grouping-actions'
import { GroupingSaveProblems } from './grouping-refusal'
import classes from './groupings.module.css'
import { GroupsPane } from './groups-pane'
import { GroupingPreviewCard } from './preview-card'
import { FallbackPicker } from './rest-choice'
import { useGroupingDraft } from './use-draft'
import { useSaveGrouping } from './use-grouping-saving'
import { ValuesPane } from './values-pane'
import { useMayWrite } from '../../lib/gate'
import { PageHeader } from '../../ui/page-header'
import { validateGrouping } from '../../../src/shared/grouping-check'
import type { Grouping } from '../../../src/shared/groupings'

export interface GroupingEditorProps {
  grouping: Grouping
  /** What is grouped, in words. */
  target: string
  above: ReactNode
}

/** Values on the left, groups on the right; every step can be undone until it is saved. */
export function GroupingEditor({ grouping, target, above }: GroupingEditorProps) {
  const mayEdit = useMayWrite('edit:grouping')
  const may = mayEdit && !grouping.frozen
  const { draft, isChanged, mayUndo, act } = useGroupingDraft(grouping)
  const saving = useSaveGrouping(grouping, { draft, act })
  const [at, setAt] = useState(draft.eras.length - 1)
  const shownAt = Math.min(at, draft.eras.length - 1)
  const era = draft.eras[shownAt] ?? { from: null, groups: [] }
  const problems = Object.values(validateGrouping(draft))
  const editing = { grouping, draft, validityPeriod: era, at: shownAt, act, may }
  return (
    <>
      <PageHeader
        breadcrumb={above}
        title={draft.name}
        description={draft.description === '' ? target : `${target}. ${draft.description}`}
        actions={<GroupingActions {...editing} mayDelete={mayEdit} isChanged={isChanged} onSaved={saving.adopt} />}
      />
      <Stack gap="md">
        {grouping.frozen && <FrozenGroupingNotice />}
        <GroupingSaveProblems saving={saving} problems={problems} />
        <Group gap="sm" justify="space-between">
          <ValidityPeriodPicker {...editing} onChoose={setAt} />
          <FallbackPicker {...editing} />
        </Group>
        <div className={classes.panes}>
          <ValuesPane {...editing} />
          <GroupsPane {...editing} />
        </div>
        {isChanged && problems.length === 0 && <GroupingPreviewCard grouping={grouping} draft={draft} />}
      </Stack>
      {may && (isChanged || mayUndo) && (
        <div className={classes.bar} role="region" aria-label="Unsaved changes">
          <Badge
            variant="light"
            color={isChanged ? 'yellow' : 'gray'}
            style={{ textTransform: 'none' }}
            visibleFrom="sm"
          >
            {isChanged ? 'Not saved yet' : 'As it was'}
          </Badge>
          <Group gap="xs" ml="auto">
            <Button
              size="xs"
              variant="default"
              leftSection={<IconArrowBackUp size={16} aria-hidden />}
              disabled={!mayUndo}
              onClick={() => act({ kind: 'undo' })}
            >
              Undo
            </Button>
            <Button size="xs" variant="default" disabled={!isChanged} onClick={() => act({ kind: 'start', grouping })}>
              Discard
            </Button>
            <Button
              size="xs"
              loading={saving.isSaving}
              disabled={!isChanged || problems.length > 0}
              onClick={() => saving.save()}
            >
              Save grouping
            </Button>
          </Group>
        </div>
      )}
    </>
  )
}

/** What every part of the editor works on. */
export interface GroupingEditorContext extends Pick<ReturnType<typeof useGroupingDraft>, 'draft' | 'act'> {
  grouping: Grouping
  validityPeriod: Grouping['eras'][number]
  /** Index of the period that is shown. */
  at: number
  /** Whether the person may change it now. */
  may: boolean
}
