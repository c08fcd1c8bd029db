import { Alert, Badge, Button, Group, Select, Stack, Text } from '@mantine/core'
import { IconSignature } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { blockName } from '../../../../src/shared/reports/block-names'
import type { Edition, ReportDocument } from '../../../../src/shared/reports/editions'
import { useFormat } from '../../../lib/format'
import { useMayWrite } from '../../../lib/gate'
import { useSession } from '../../../lib/session'
import { LinkAnchor } from '../../../ui/buttons/links'
import { useOwnFreshness } from '../../../ui/freshness'
import { MutedText } from '../../../ui/muted-text'
import { notifyError } from '../../../ui/notify-error'
import { PageHeader } from '../../../ui/page-header'
import { SubjectPage } from '../../../ui/deleted/subject-page'
import { FrozenContext, TileSlotsProvider, type TileSlots } from '../blocks/slots'
import { createTileStore } from '../tiles/tile-store'
import { TileStoreContext } from '../tiles/use-tiles'
import { PageGrid } from '../view/page-grid'
import { Differences } from './differences'
import { EditionDownloads } from './edition-downloads'
import { editionName } from './edition-name'
import { editionQuery, editionsQuery, useSignEdition } from './queries'
import classes from './editions.module.css'

interface EditionScreenProps {
  reportId: string
  n: number
  slots: TileSlots
}

/** A report with its figures as they were published. */
export function EditionScreen({ reportId, n, slots }: EditionScreenProps) {
  const edition = useQuery(editionQuery(reportId, n))
  return (
    <SubjectPage query={edition} id={reportId}>
      {(data) => (
        <TileSlotsProvider slots={slots}>
          <OpenEdition {...data} />
        </TileSlotsProvider>
      )}
    </SubjectPage>
  )
}

function OpenEdition({ edition, document }: { edition: Edition; document: ReportDocument }) {
  const format = useFormat()
  // How current the workspace's rows are says nothing of what was frozen.
  useOwnFreshness()
  const [other, setOther] = useState<number | null>(null)
  const { reportId, n, note, publishedAt, publishedByName, dataAsOf } = edition
  const facts = [
    `Published ${format.dateTime(publishedAt)} by ${publishedByName}`,
    ...(dataAsOf === null ? [] : [`data as of ${format.dateTime(dataAsOf)}`]),
  ]
  return (
    <>
      <PageHeader
        title={document.report.name}
        breadcrumb={
          <Group gap="xs">
            <LinkAnchor to="/reports/legacy/$id" params={{ id: reportId }} size="sm">
              All editions
            </LinkAnchor>
            <Badge variant="light">{editionName(edition)}</Badge>
          </Group>
        }
        description={facts.join(', ')}
        actions={
          <>
            <CompareWith edition={edition} other={other} onChoose={setOther} />
            <SignButton edition={edition} />
            <EditionDownloads edition={edition} />
          </>
        }
      />
      <Stack gap="md">
        {note !== '' && (
          <Alert color="yellow" title="Correction">
            {note}
          </Alert>
        )}
        <Signatures edition={edition} />
        {other !== null && <Differences reportId={reportId} n={n} other={other} onClose={() => setOther(null)} />}
        <FrozenPages document={document} />
        <MutedText size="xs" className={classes.hash ?? ''}>
          Fingerprint (SHA-256): {edition.hash}
        </MutedText>
      </Stack>
    </>
  )
}

/** The pages, and what stands above each: null where one of its blocks says the same. */
const namedPages = ({ pages }: ReportDocument) =>
  pages.map((page) => ({
    ...page,
    name: page.blocks.some(({ block }) => blockName(block) === page.name) ? null : page.name,
  }))

/** Every page below the other, as on paper. Nothing is asked: the figures came with the edition. */
function FrozenPages({ document }: { document: ReportDocument }) {
  const store = useMemo(() => {
    const frozen = createTileStore()
    for (const { answer } of document.pages.flatMap(({ blocks }) => blocks)) if (answer) frozen.take(answer)
    return frozen
  }, [document])
  return (
    <FrozenContext value>
      <TileStoreContext value={store}>
        {namedPages(document).map(({ id, name, blocks }) => (
          <section key={id} {...(name === null ? {} : { 'aria-label': name })}>
            {document.pages.length > 1 && name !== null && (
              <Text component="h2" size="lg" fw={600} mb="sm">
                {name}
              </Text>
            )}
            <PageGrid blocks={blocks.map(({ block }) => block)} selections={[]} isPaper />
          </section>
        ))}
      </TileStoreContext>
    </FrozenContext>
  )
}

function CompareWith({
  edition,
  other,
  onChoose,
}: {
  edition: Edition
  other: number | null
  onChoose: (n: number | null) => void
}) {
  const list = useQuery(editionsQuery(edition.reportId))
  const others = (list.data ?? []).filter(({ n }) => n !== edition.n)
  if (others.length === 0) return null
  return (
    <Select
      aria-label="Compare with"
      placeholder="Compare with…"
      clearable
      w={220}
      value={other === null ? null : String(other)}
      data={others.map((one) => ({ value: String(one.n), label: editionName(one) }))}
      onChange={(value) => onChoose(value === null ? null : Number(value))}
    />
  )
}

function SignButton({ edition }: { edition: Edition }) {
  const { user } = useSession()
  const sign = useSignEdition()
  const may = useMayWrite('view:report')
  if (!may || edition.signatures.some(({ userId }) => userId === user?.id)) return null
  return (
    <Button
      variant="default"
      leftSection={<IconSignature size={16} aria-hidden />}
      loading={sign.isPending}
      onClick={() => sign.mutate({ report: edition.reportId, n: edition.n }, { onError: notifyError })}
    >
      Sign off
    </Button>
  )
}

function Signatures({ edition: { signatures } }: { edition: Edition }) {
  const format = useFormat()
  if (signatures.length === 0) return null
  return (
    <Group gap="lg">
      {signatures.map(({ userId, name, at }) => (
        <Group key={userId} gap={6} wrap="nowrap">
          <IconSignature size={18} aria-hidden />
          <Text size="sm">
            {name}{' '}
            <Text span c="dimmed" size="xs">
              {format.dateTime(at)}
            </Text>
          </Text>
        </Group>
      ))}
    </Group>
  )
}
