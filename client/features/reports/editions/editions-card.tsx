import { Alert, Button, Group, Text } from '@mantine/core'
import { IconLock, IconSignature } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Edition } from '../../../../src/shared/reports/editions'
import type { Report } from '../../../../src/shared/reports/reports'
import { useFormat } from '../../../lib/format'
import { useMayWrite } from '../../../lib/gate'
import { LinkAnchor } from '../../../ui/buttons/links'
import { MutedText } from '../../../ui/muted-text'
import { QueryView } from '../../../ui/query-view'
import { SectionCard } from '../../../ui/section-card'
import { TableSkeleton } from '../../../ui/skeletons'
import { editionsQuery } from './queries'
import { EditionDownloads } from './edition-downloads'
import { editionName } from './edition-name'
import { PublishEdition } from './publish-edition'
import classes from './editions.module.css'

/** The newest few; the rest on demand. */
const SHOWN = 3

/** What was frozen of a report, and the way to the next edition. */
export function EditionsCard({ report }: { report: Report }) {
  const list = useQuery(editionsQuery(report.id))
  const may = useMayWrite('edit:report')
  const [publishes, setPublishes] = useState(false)
  const [showsAll, setShowsAll] = useState(false)
  return (
    <div className={classes.card}>
      <SectionCard title="Editions" description="Frozen figures that never change. Below are today’s figures." boxed>
        <QueryView query={list} skeleton={<TableSkeleton count={2} />}>
          {(items) => (
            <>
              {items.length > 0 && (
                <ul className={classes.list} aria-label="Editions">
                  {items.slice(0, showsAll ? items.length : SHOWN).map((edition) => (
                    <EditionRow key={edition.id} edition={edition} />
                  ))}
                </ul>
              )}
              {!showsAll && items.length > SHOWN && (
                <Button variant="subtle" size="compact-sm" onClick={() => setShowsAll(true)}>
                  Show all {items.length}
                </Button>
              )}
              {items.length === 0 && <MutedText>No editions yet</MutedText>}
            </>
          )}
        </QueryView>
        {may && report.changed && (
          <Alert color="yellow" p="xs">
            The draft has unpublished changes. An edition freezes what’s published.
          </Alert>
        )}
        {may && (
          <Group>
            <Button leftSection={<IconLock size={16} aria-hidden />} onClick={() => setPublishes(true)}>
              Publish edition
            </Button>
          </Group>
        )}
        {publishes && <PublishEdition report={report} editions={list.data ?? []} onClose={() => setPublishes(false)} />}
      </SectionCard>
    </div>
  )
}

function EditionRow({ edition }: { edition: Edition }) {
  const format = useFormat()
  const { reportId, n, period, note, publishedAt, publishedByName, signatures } = edition
  return (
    <li className={classes.row}>
      <div className={classes.name}>
        <LinkAnchor to="/reports/legacy/$id/editions/$n" params={{ id: reportId, n: String(n) }}>
          {editionName({ n, period })}
        </LinkAnchor>
        <MutedText size="xs">
          {format.dateTime(publishedAt)}, {publishedByName}
        </MutedText>
        {note !== '' && <Text size="sm">{note}</Text>}
      </div>
      {signatures.length > 0 && (
        <Group gap={4} wrap="nowrap" className={classes.signed ?? ''}>
          <IconSignature size={16} aria-hidden />
          <MutedText size="xs">{signatures.map(({ name }) => name).join(', ')}</MutedText>
        </Group>
      )}
      <EditionDownloads edition={edition} />
    </li>
  )
}
