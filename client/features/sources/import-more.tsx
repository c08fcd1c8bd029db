import { Alert, List, Stack, Text } from '@mantine/core'
import { IconBook2 } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { FaultNotice } from './fault-notice'
import { ImportTables } from './import-tables'
import { ledgerHome } from './ledger-match'
import type { Placed } from './ledger-match'
import { LoadFoot } from './load-foot'
import { isChosenIn } from './table-choice'
import { tablesFault, totalRows } from './table-facts'
import type { OpenedFile } from './upload-queue'
import { useAddTables } from './use-add-tables'
import { useTables } from './use-tables'
import { SOURCE_MAX_DATASETS } from '../../../src/shared/limits'
import type { DataSource } from '../../../src/shared/sources'

export interface ImportMoreProps {
  source: DataSource
  files: readonly OpenedFile[]
  waiting: string | null
  onStarted: () => void
  onPickFile: () => void
  back: ReactNode
}

/** More files into a source that is there: new tables beside its own, or further years of the same books. */
export function ImportMore({ source, files, waiting, onStarted, onPickFile, back }: ImportMoreProps) {
  const { tables, active, look } = useTables(files, isChosenIn(files))
  const add = useAddTables(source.id)
  const chosen = tables.filter(({ chosen: is }) => is)
  const placed = chosen.map((table): Placed => ({ table, home: ledgerHome(table, source.datasets) }))
  const fresh = placed.filter(({ home }) => home === null).length
  const room = SOURCE_MAX_DATASETS - source.datasets.length
  const several = tables.length > 1
  const unread = chosen.some(({ found }) => found.inspection === null || found.reading)
  const crowded = fresh > room ? tablesFault(chosen.slice(0, fresh), several, room) : null
  const start = () => add.mutate(placed, { onSuccess: onStarted })
  return (
    <Stack gap="md">
      <YearsNotice placed={placed} />
      {active && <ImportTables {...{ tables, active, onPickFile }} onLook={look} />}
      {add.error && <FaultNotice error={add.error} onRetry={start} onPickFile={onPickFile} />}
      <LoadFoot
        rows={totalRows(chosen)}
        tables={several ? chosen.length : null}
        fault={crowded ?? tablesFault(chosen, several) ?? waiting}
        busy={add.isPending}
        waiting={unread}
        onLoad={start}
        back={back}
      />
    </Stack>
  )
}

function YearsNotice({ placed }: { placed: Placed[] }) {
  const homes = placed.flatMap(({ home }) => (home ? [home] : []))
  if (homes.length === 0) return null
  return (
    <Alert color="accent" icon={<IconBook2 aria-hidden />} title="These books are here already">
      <Text size="sm">
        The fiscal years in the file take the place of the same years. Other years stay as they are, and you can go back
        afterwards.
      </Text>
      <List size="sm" mt={4}>
        {homes.map(({ id, name }) => (
          <List.Item key={id}>{name}</List.Item>
        ))}
      </List>
    </Alert>
  )
}
