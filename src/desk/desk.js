// While an import runs, loads the page again every second, until it has ended. Without this script the browser does the
// same every two seconds.
const load = async () => {
  const response = await fetch(location.href)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const main = page.querySelector('main')
  if (!response.ok || main === null || !('running' in main.dataset)) return location.reload()
  const progress = main.querySelector('.progress')
  document.querySelector('.progress')?.replaceChildren(progress?.textContent ?? '')
  setTimeout(load, 1000)
}
setTimeout(load, 1000)
