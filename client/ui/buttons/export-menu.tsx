import { Button, Menu } from '@mantine/core'
import { IconDownload, IconPhoto } from '@tabler/icons-react'
import { downloadFile } from './download-file'
import { notifyError } from '../notify-error'

interface ExportMenuProps {
  /** Where the figures are downloaded; null where they may not be, or there are none. */
  addressOf: ((format: 'csv' | 'xlsx') => string) | null
  /** Makes the picture; absent while there is nothing to draw. */
  png: (() => Promise<Blob | null>) | undefined
  /** The picture's name as a file, without its ending. */
  name: string
}

const FORMAT_LABELS = { csv: 'CSV', xlsx: 'Excel (XLSX)' } as const

/** Figures and picture to take along; nothing where there is neither. */
export function ExportMenu({ addressOf, png, name }: ExportMenuProps) {
  const picture = async (): Promise<void> => {
    try {
      const made = (await png?.()) ?? null
      if (made) downloadFile(made, `${name}.png`)
    } catch (error) {
      notifyError(error)
    }
  }
  if (!addressOf && !png) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {addressOf &&
          (['csv', 'xlsx'] as const).map((format) => (
            <Menu.Item
              key={format}
              component="a"
              href={addressOf(format)}
              download
              leftSection={<IconDownload size={16} aria-hidden />}
            >
              {FORMAT_LABELS[format]}
            </Menu.Item>
          ))}
        {png && (
          <Menu.Item leftSection={<IconPhoto size={16} aria-hidden />} onClick={() => void picture()}>
            Image (PNG)
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
