import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { CurrencyProposal, pairingsOf, useCurrencyColumns } from './currency-proposal'
import { FaultNotice } from './fault-notice'
import { PreviewGrid } from './preview-grid'
import { dateProof, decimalProof } from './proof'
import { ProofStrip } from './proof-strip'
import { ReadBar } from './read-bar'
import { READABLE } from './file-kinds'
import { ReadingTable } from './reading-file'
import { allWarnings } from './table-facts'
import type { ImportTable as OneTable } from './use-tables'
import { WarningsList } from './warnings-list'
import { ApiError } from '../../lib/api'
import { useSession } from '../../lib/session'
import { useFormat } from '../../lib/format'
import type { FileWarning } from '../../../src/shared/files'

export interface ImportTableProps {
  one: OneTable
  /** What there is to say beside the table's own. */
  notes: FileWarning[]
  onPickFile: () => void
}

/** What was found in a table and how it was read; every part of it can be corrected. */
export function ImportTable({ one, notes, onPickFile }: ImportTableProps) {
  const locale = useSession().workspace?.settings.numberLocale ?? 'sv-SE'
  const { found, table } = one
  const { inspection } = found
  const pairings = pairingsOf(found.columns, useCurrencyColumns(found.columns))
  if (!inspection)
    return found.error === null ? <ReadingTable name={one.name} /> : <Unreadable one={one} onPickFile={onPickFile} />
  const readable = READABLE[table.kind]
  const input = { columns: found.columns, preview: inspection.preview, settings: inspection.settings, locale }
  // What is not written as text cannot be misread.
  const asked = new Set(pairings.map(({ by }) => by.label))
  const warnings = [...notes, ...allWarnings(one)].filter(
    ({ code, column }) => code !== 'currency_column' || !asked.has(column ?? ''),
  )
  const proofs = readable === 'text' ? [decimalProof(input), dateProof(input)].filter((proof) => proof !== null) : []
  return (
    <Stack gap="md">
      <ProofStrip proofs={proofs} />
      <ReadBar
        readable={readable}
        settings={inspection.settings}
        corrected={found.corrected}
        reading={found.reading}
        onChange={found.correct}
      />
      {found.error !== null && <UnreadableThatWay one={one} />}
      <CurrencyProposal columns={found.columns} onEdit={found.edit} />
      <WarningsList warnings={warnings} />
      <FirstRows count={inspection.preview.length} />
      <PreviewGrid
        columns={found.columns}
        cells={found.cells}
        bad={found.bad}
        onEdit={found.edit}
        onReset={found.reset}
      />
    </Stack>
  )
}

function FirstRows({ count }: { count: number }) {
  const format = useFormat()
  if (count === 0)
    return (
      <Alert color="yellow" title="There are column names and no rows">
        You can load it as it is and add rows later.
      </Alert>
    )
  return (
    <Text size="sm" c="dimmed">
      The first {format.count(count)} rows as they will be loaded. Choose a column’s name to change it.
    </Text>
  )
}

/** Nothing could be read. A file that only breaks its own rules may be readable in another way. */
function Unreadable({ one, onPickFile }: { one: OneTable; onPickFile: () => void }) {
  const { found, fileName } = one
  const broken = found.error instanceof ApiError && found.error.body['reason'] === 'broken'
  return (
    <Stack gap="md">
      <FaultNotice error={found.error} subject={fileName} onRetry={found.readAgain} onPickFile={onPickFile} />
      {broken && (
        <ReadBar
          readable={READABLE[one.table.kind]}
          settings={null}
          corrected={found.corrected}
          reading={found.reading}
          onChange={found.correct}
        />
      )}
    </Stack>
  )
}

function UnreadableThatWay({ one: { found } }: { one: OneTable }) {
  return (
    <Stack gap="xs">
      <FaultNotice error={found.error} subject="Not readable with these settings" />
      <Group>
        <Button variant="default" onClick={found.undoCorrections}>
          Go back to what was found
        </Button>
      </Group>
    </Stack>
  )
}
