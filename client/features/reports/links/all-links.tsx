import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconLink } from '@tabler/icons-react'
import { useState } from 'react'
import { useMay } from '../../../lib/gate'
import { Dialog } from '../../../ui/dialog'
import { MutedText } from '../../../ui/muted-text'
import { QueryError } from '../../../ui/query-view'
import { LinesSkeleton } from '../blocks/tile-frame'
import { LinkList } from './link-list'
import { linksQuery } from './queries'

/** What leaves the workspace by links, for those who answer for it. */
export function AllLinksButton() {
  const [opened, setOpened] = useState(false)
  const may = useMay('view:access')
  if (!may) return null
  return (
    <>
      <Button variant="default" leftSection={<IconLink size={16} aria-hidden />} onClick={() => setOpened(true)}>
        Share links
      </Button>
      <Dialog opened={opened} onClose={() => setOpened(false)} title="Share links" size="lg">
        {opened && <AllLinks />}
      </Dialog>
    </>
  )
}

function AllLinks() {
  const links = useQuery(linksQuery(null))
  if (links.isPending) return <LinesSkeleton />
  if (!links.data) return <QueryError query={links} />
  const open = links.data.filter(({ state }) => state === 'live' || state === 'paused')
  if (open.length === 0) return <MutedText>No reports are shared by link.</MutedText>
  return <LinkList links={open} named />
}
