package example.parcelhub.labels;

final class MainTest {
}
