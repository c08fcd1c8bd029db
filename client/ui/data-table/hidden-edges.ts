import { useCallback, useEffect, useState, type RefObject } from 'react'

/** Whether parts of the table lie beyond the edges of its frame. */
export function useHiddenEdges(frame: RefObject<HTMLDivElement | null>) {
  const [edges, setEdges] = useState({ left: false, right: false })
  const read = useCallback((): void => {
    const box = frame.current
    if (!box) return
    const left = box.scrollLeft > 1
    const right = box.scrollLeft + box.clientWidth < box.scrollWidth - 1
    setEdges((now) => (now.left === left && now.right === right ? now : { left, right }))
  }, [frame])
  useEffect(() => {
    const box = frame.current
    if (!box) return
    const observer = new ResizeObserver(read)
    observer.observe(box)
    if (box.firstElementChild) observer.observe(box.firstElementChild)
    return () => observer.disconnect()
  }, [frame, read])
  return { edges, onScroll: read }
}
