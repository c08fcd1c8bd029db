import '@mantine/dropzone/styles.css'
import { Button, Kbd, Stack, Text, Title } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { IconFileUpload } from '@tabler/icons-react'
import { useRef } from 'react'
import type { ImportTarget } from '../import/import-review'
import classes from './drop-zone.module.css'
import { FILE_ACCEPT, SUPPORTED_FORMATS } from './file-kinds'
import { Illustration } from '../../../ui/illustration'
import { useFormat } from '../../../lib/format'
import { EXTRACTED_FILE_MAX_BYTES, FILE_MAX_BYTES } from '../../../../src/shared/limits'

const DROP_ZONE_TEXT = {
  new: {
    title: 'Drop files here',
    sentence: 'Preview before importing.',
  },
  source: {
    title: 'Drop files here',
    sentence: 'Each table is added to this source. Ledger years are added to the existing ledger.',
  },
  dataset: {
    title: 'Drop file here',
    sentence: 'Match columns, then append, update or replace rows.',
  },
} as const

/** The place for the first files, with the sentence that fits where they go. */
export function ImportDropZone({ onFiles, target }: { onFiles: (files: File[]) => void; target: ImportTarget }) {
  return <DropZone onFiles={onFiles} multiple={target.kind !== 'dataset'} {...DROP_ZONE_TEXT[target.kind]} />
}

interface DropZoneProps {
  title: string
  /** One sentence that teaches. */
  sentence: string
  onFiles: (files: File[]) => void
  /** False: one file only. */
  multiple?: boolean
  disabled?: boolean
}

const isApple = (): boolean => /mac|iphone|ipad/i.test(navigator.userAgent)

/** The whole area takes files by drop or click; the button is the way of the keyboard. */
function DropZone({ title, sentence, onFiles, multiple: several = true, disabled = false }: DropZoneProps) {
  const open = useRef<() => void>(null)
  const format = useFormat()
  return (
    <Dropzone
      openRef={open}
      onDrop={(files) => files.length > 0 && onFiles(files)}
      multiple={several}
      disabled={disabled}
      activateOnKeyboard={false}
      className={classes.area}
      inputProps={{ 'aria-label': several ? 'Data files' : 'Data file', accept: FILE_ACCEPT }}
    >
      <Stack align="center" gap="xs">
        <Illustration name="sources" />
        <Title order={2} mt="xs" ta="center">
          {title}
        </Title>
        <Text c="dimmed" ta="center" maw="52ch">
          {sentence}
        </Text>
        <Button
          mt="sm"
          size="md"
          disabled={disabled}
          leftSection={<IconFileUpload size={18} aria-hidden />}
          onClick={(event) => {
            event.stopPropagation()
            open.current?.()
          }}
        >
          {several ? 'Choose files' : 'Choose file'}
        </Button>
        <Text size="sm" ta="center" visibleFrom="sm">
          or paste cells from a spreadsheet with <Kbd>{isApple() ? '⌘' : 'Ctrl'}</Kbd> <Kbd>V</Kbd>
        </Text>
        <Text size="xs" c="dimmed" ta="center" maw="60ch">
          {SUPPORTED_FORMATS}. CSV and text up to {format.bytes(FILE_MAX_BYTES)}
          {several && ' each'}, others up to {format.bytes(EXTRACTED_FILE_MAX_BYTES)}
        </Text>
      </Stack>
    </Dropzone>
  )
}
