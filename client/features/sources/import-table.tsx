import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { FaultNotice } from './fault-notice'
import { PreviewGrid } from './preview-grid'
import { dateProof, decimalProof } from './proof'
import { ProofStrip } from './proof-strip'
import { ReadBar } from './read-bar'
import type { Import } from './use-import'
import { WarningsList } from './warnings-list'
import { ApiError } from '../../lib/api'
import { useSession } from '../../lib/session'
import { TableSkeleton } from '../../ui/skeletons'
import { useFormat } from '../../lib/format'

/** What was found in a file and how it was read; every part of it can be corrected. */
export function ImportTable({
  found,
  fileName,
  onPickFile,
}: {
  found: Import
  fileName: string
  onPickFile: () => void
}) {
  const locale = useSession().workspace?.settings.numberLocale ?? 'sv-SE'
  const format = useFormat()
  const { inspection } = found
  if (!inspection)
    return found.error ? (
      <Unreadable found={found} fileName={fileName} onPickFile={onPickFile} />
    ) : (
      <Stack gap="md" role="status" aria-label={`Reading ${fileName}`}>
        <Skeleton h={92} radius="lg" />
        <TableSkeleton count={8} />
      </Stack>
    )
  const input = { columns: found.columns, preview: inspection.preview, settings: inspection.settings, locale }
  const proofs = [decimalProof(input), dateProof(input)].filter((proof) => proof !== null)
  return (
    <Stack gap="md">
      <ProofStrip proofs={proofs} />
      <ReadBar
        settings={inspection.settings}
        corrected={found.corrected}
        reading={found.reading}
        onChange={found.correct}
      />
      {found.error && <UnreadableThatWay found={found} />}
      <WarningsList warnings={inspection.warnings} />
      {inspection.preview.length === 0 ? (
        <Alert color="yellow" title="The file has column names and no rows">
          You can load it as it is and add rows later.
        </Alert>
      ) : (
        <Text size="sm" c="dimmed">
          The first {format.count(inspection.preview.length)} rows as they will be loaded. Choose a column’s name to
          change it.
        </Text>
      )}
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

/** Nothing could be read. A file that only breaks its own rules may be readable in another way. */
function Unreadable({ found, fileName, onPickFile }: { found: Import; fileName: string; onPickFile: () => void }) {
  const broken = found.error instanceof ApiError && found.error.body['reason'] === 'broken'
  return (
    <Stack gap="md">
      <FaultNotice error={found.error} subject={fileName} onRetry={found.readAgain} onPickFile={onPickFile} />
      {broken && (
        <ReadBar settings={null} corrected={found.corrected} reading={found.reading} onChange={found.correct} />
      )}
    </Stack>
  )
}

function UnreadableThatWay({ found }: { found: Import }) {
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
