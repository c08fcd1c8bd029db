import '@mantine/dropzone/styles.css'
import { Button, Stack, Text, Title } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { IconFileUpload } from '@tabler/icons-react'
import { useRef } from 'react'
import classes from './drop-area.module.css'
import { Illustration } from '../../ui/illustration'
import { useFormat } from '../../lib/format'
import { FILE_MAX_BYTES } from '../../../src/shared/limits'

export interface DropAreaProps {
  title: string
  /** One sentence that teaches. */
  sentence: string
  onFile: (file: File) => void
  disabled?: boolean
}

/** The whole area takes a file by drop or click; the button is the way of the keyboard. */
export function DropArea({ title, sentence, onFile, disabled = false }: DropAreaProps) {
  const open = useRef<() => void>(null)
  const format = useFormat()
  return (
    <Dropzone
      openRef={open}
      onDrop={([file]) => file && onFile(file)}
      multiple={false}
      disabled={disabled}
      activateOnKeyboard={false}
      className={classes.area}
      inputProps={{ 'aria-label': 'Data file' }}
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
          Choose a file
        </Button>
        <Text size="xs" c="dimmed" ta="center">
          CSV or text with columns, up to {format.bytes(FILE_MAX_BYTES)}. Nothing is loaded until you say so.
        </Text>
      </Stack>
    </Dropzone>
  )
}
