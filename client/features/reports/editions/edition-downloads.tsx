import { IconDownload, IconFileSpreadsheet, IconFileTypePdf } from '@tabler/icons-react'
import { ActionIcon, Menu } from '@mantine/core'
import type { Edition } from '../../../../src/shared/reports/editions'
import { useMay } from '../../../lib/gate'
import { editionFile } from './queries'
import { session } from '../../../lib/session'

/** An edition as a file; the browser saves it. */
export function EditionDownloads({ edition: { reportId, n } }: { edition: Pick<Edition, 'reportId' | 'n'> }) {
  const may = useMay('export:data')
  const path = (format: 'pdf' | 'xlsx'): string =>
    `${editionFile(reportId, n, format)}&w=${session().workspace?.id ?? ''}`
  if (!may) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Download edition ${n}`}>
          <IconDownload size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={path('pdf')} download leftSection={<IconFileTypePdf size={16} aria-hidden />}>
          PDF
        </Menu.Item>
        <Menu.Item
          component="a"
          href={path('xlsx')}
          download
          leftSection={<IconFileSpreadsheet size={16} aria-hidden />}
        >
          Excel workbook
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
