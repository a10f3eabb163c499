// Answers with what it is sent, until files are hashed here.
self.addEventListener('message', ({ data }) => self.postMessage(data));
